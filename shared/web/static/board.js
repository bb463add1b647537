// Writes the clicked points of a drawn board into the field for moves: one point for a stone, two squares for a piece.
// Shows the moves of the other side.
// The drawings are those of services/games/pages/drawing.py.
(() => {
  "use strict";
  const figure = document.querySelector("[data-board]");
  const field = document.getElementById("moves");
  const svg = figure && figure.querySelector("svg");
  if (!svg || !field) return;
  const game = figure.dataset.board;
  const [, , width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const letters = game === "go" ? "ABCDEFGHJKLMNOPQRSTUVWXYZ" : "abcdefghijklmnopqrstuvwxyz";
  const chess = { edge: (width - 8 * 45) / 2 + 22.5, step: 45, rows: 8, columns: 8, first: 1 };
  const lines = { edge: 60, step: 40, rows: Math.round((height - 120) / 40) + 1, columns: Math.round((width - 120) / 40) + 1 };
  const board = game === "chess" ? chess : { ...lines, first: game === "xiangqi" ? 0 : 1 };
  const pieces = game === "chess" || game === "xiangqi";
  const LOOK = 3000; // milliseconds
  let from = "";

  svg.style.cursor = "pointer";
  svg.addEventListener("click", (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const column = Math.round((place.x - board.edge) / board.step);
    const row = Math.round((place.y - board.edge) / board.step);
    if (column < 0 || row < 0 || column >= board.columns || row >= board.rows) return;
    const point = letters[column] + (board.rows - 1 - row + board.first);
    if (pieces && !from) {
      from = point;
      field.value = `${field.value.trim()} ${from}`.trim();
    } else {
      field.value = pieces && from !== point ? field.value + point : `${field.value.replace(from || /$/, "").trim()}${pieces ? "" : " " + point}`.trim();
      from = "";
    }
    field.focus();
  });

  // The other side may have moved: the page is opened again, unless something is typed.
  const ply = document.querySelector("[name=ply]").value;
  const look = async () => {
    if (!document.hidden && !field.value) {
      const answer = await fetch(location.pathname).catch(() => null);
      const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      if (page && page.querySelector("[name=ply]")?.value !== ply && !field.value) return location.assign(location.pathname);
    }
    return setTimeout(look, LOOK);
  };
  setTimeout(look, LOOK);
})();
