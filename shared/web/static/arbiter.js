"use strict";
/* The desk of a round, quicker: lines are sent one after another while the next is typed, and the focus stays.
   Without this each form posts and the page comes anew. */
(() => {
  const byId = (id) => document.getElementById(id);
  const waiting = [];
  let sending = false;
  let kept = null;

  /* A stream that begins again every few seconds, for ever: after an error of the server, and after the silence of two beats, in
     which a network may have been cut without an error. The page says that it may be out of date. */
  const AGAIN = 5000, ANSWER = 10000, SILENCE = 35000;
  htmx.createEventSource = (url) => {
    const listeners = [];
    let source, ended = false, silence = 0, lost = 0;
    const offline = (is) => { if (byId("offline")) byId("offline").hidden = !is; };
    const wait = (time) => { clearTimeout(silence); silence = setTimeout(() => { offline(true); begin(); }, time); };
    const begin = () => {
      if (source) source.close();
      if (ended) return;
      source = new EventSource(url, { withCredentials: true });
      for (const [type, listener] of listeners) source.addEventListener(type, listener);
      for (const type of ["changed", "beat"]) source.addEventListener(type, () => wait(SILENCE));
      source.onopen = (event) => { wait(SILENCE); clearTimeout(lost); lost = 0; offline(false); stream.onopen?.(event); };
      source.onerror = (event) => {
        lost ||= setTimeout(offline, ANSWER, true);
        wait(source.readyState === EventSource.CLOSED ? AGAIN : ANSWER);
        stream.onerror?.(event);
      };
      wait(ANSWER);
    };
    const stream = {
      readyState: EventSource.CONNECTING,
      addEventListener: (type, listener) => { listeners.push([type, listener]); source.addEventListener(type, listener); },
      removeEventListener: (type, listener) => source.removeEventListener(type, listener),
      close: () => { ended = true; clearTimeout(silence); clearTimeout(lost); source.close(); },
    };
    begin();
    return stream;
  };

  /* The event that the page shows its tournament at. */
  const shown = () => Number(byId("seen").dataset.seq);
  const once = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  /* Boards without a result, as numbers, that no line on its way is of. */
  const open = () => {
    const taken = new Set(waiting.map((line) => line.of));
    return [...document.querySelectorAll("[data-open]")].map((row) => Number(row.dataset.open)).filter((n) => !taken.has(n)).sort((a, b) => a - b);
  };

  const named = (text) => {
    const found = /^\s*(\d{1,4})(?:\s+\S|[=+-])/.exec(text.normalize("NFKC"));
    return found ? Number(found[1]) : null;
  };

  /* The open board after this one comes next: shown, marked, and sent with a result alone. */
  const next = (after) => {
    const form = byId("entry-form");
    if (!form) return;
    const boards = open();
    const board = boards.find((n) => n > after) ?? boards[0] ?? "";
    form.elements.board.value = board;
    if (byId("next")) byId("next").textContent = board || "–";
    for (const row of document.querySelectorAll("[data-open]")) row.classList.toggle("next", Number(row.dataset.open) === board);
  };

  const show = (line, state) => {
    if (!line.item) {
      line.item = document.createElement("li");
      byId("sent").append(line.item);
    }
    line.item.textContent = line.text;
    line.item.dataset.state = state;
  };

  /* A line that was refused stands there until its board has a result, or somebody puts it away. */
  const settle = (line, refused) => {
    const list = byId("unentered");
    for (const one of [...list.children]) if (one.dataset.of === String(line.of)) one.remove();
    if (refused) {
      const item = document.createElement("li"), away = document.createElement("button");
      item.dataset.of = line.of;
      item.append(line.text, away);
      away.textContent = "×";
      away.setAttribute("aria-label", `${list.dataset.away}: ${line.text}`);
      away.onclick = () => { settle(line, false); byId("entry").focus(); };
      list.append(item);
    }
    if (!list.children.length) byId("refused").replaceChildren();
  };

  /* Lines without an answer, kept by the browser for this official and round: a page that is opened again sends them. */
  const place = () => `arbiter ${byId("entry-form").dataset.official} ${new URL(byId("entry-form").action).pathname}`;
  const keep = () => {
    const lines = waiting.map(({ text, board, of, once, seq }) => ({ text, board, of, once, seq }));
    try { if (lines.length) localStorage.setItem(place(), JSON.stringify(lines)); else localStorage.removeItem(place()); } catch { /* no storage */ }
  };
  const restore = () => {
    let lines = [];
    try { lines = JSON.parse(localStorage.getItem(place())) ?? []; } catch { /* no storage */ }
    for (const one of lines) {
      const line = { ...one, restored: true };
      waiting.push(line);
      show(line, "unsent");
    }
    if (lines.length) send();
  };

  /* The status of a line whose page nobody needs, because another line follows: its row alone changes. Only a refusal is asked for
     again, with the same key, to be shown. */
  const quick = async (values) => {
    try {
      const body = new URLSearchParams(values);
      const { type, status } = await fetch(byId("entry-form").action, { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(ANSWER) });
      return type === "opaqueredirect" ? 303 : status;
    } catch { return 0; }
  };
  const enter = (line) => {
    const row = document.querySelector(`[data-open="${line.of}"]`);
    if (!row) return;
    row.removeAttribute("data-open");
    row.classList.remove("next");
    row.querySelector(".deeds form")?.remove();
    row.querySelector(".lead a").textContent = "✓";
  };

  /* The status of a line whose answer replaces the rows that have changed, or the whole desk. */
  const whole = (values) => new Promise((done) => {
    const ended = (event) => {
      if (event.detail.requestConfig.parameters.once !== values.once) return;
      document.body.removeEventListener("htmx:afterRequest", ended);
      done(event.detail.xhr.status);
    };
    document.body.addEventListener("htmx:afterRequest", ended);
    htmx.ajax("POST", byId("entry-form").action, { target: "#desk", select: "#desk", selectOOB: "#seen", swap: "outerHTML", values });
  });

  /* One line at a time. What the server did not answer stays in the list, and is sent again with the same key. */
  const send = async () => {
    if (sending) return;
    sending = true;
    while (waiting.length) {
      const line = waiting[0];
      const seq = line.restored ? line.seq : shown();
      const values = { seq, once: line.once, entry: line.text, board: line.board };
      const more = waiting.length > 1;
      let answered = more ? await quick(values) : await whole(values);
      if (more && answered > 0 && answered < 400) enter(line);
      else if (more && answered >= 400 && answered < 500) answered = await whole(values);
      if (answered === 0 || answered >= 500) {
        show(line, "unsent");
        await new Promise((again) => setTimeout(again, 2000));
        continue;
      }
      waiting.shift();
      keep();
      line.item.remove();
      settle(line, answered >= 400);
      /* A refused line moves nothing on: the lowest open board is next, unless the next line is being typed. */
      if (answered >= 400 && !waiting.length && !byId("entry").value) next(0);
    }
    sending = false;
  };

  const push = (text, of, board) => {
    const line = { text, board, of, once: once(), seq: shown() };
    waiting.push(line);
    keep();
    show(line, "sent");
    send();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target, field = byId("entry"), row = form.closest("[data-open]");
    if (form.id === "entry-form") {
      event.preventDefault();
      const text = field.value.trim(), { board } = form.elements;
      if (!text) return;
      const of = named(text) ?? Number(board.value), before = board.value;
      field.value = "";
      push(text, of, before);
      next(of);
    } else if (row && field && event.submitter?.name === "result") {
      event.preventDefault();
      const of = Number(row.dataset.open);
      if (!waiting.some((line) => line.of === of)) push(`${of} ${event.submitter.textContent}`, of, String(of));
      next(Number(byId("entry-form").elements.board.value) - 1);
    }
  });
  /* A page of a round asks for the rows alone that have changed since the event that it shows. A request that the network
     swallowed is given up, and sent again. */
  document.addEventListener("htmx:configRequest", ({ target, detail }) => {
    if ("rows" in target.dataset) detail.parameters.since = shown();
    if (detail.parameters.once || target.closest("[sse-connect]")) detail.timeout = ANSWER;
  });

  /* One key per board, if this browser wants it: a result alone is sent as soon as it is typed. */
  const SINGLE = "arbiter one key per board";
  document.addEventListener("input", ({ target }) => {
    if (target.id === "entry" && byId("single")?.checked && /^[10=]$/.test(target.value.normalize("NFKC"))) target.form.requestSubmit();
  });
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "single") return;
    try { if (target.checked) localStorage.setItem(SINGLE, "yes"); else localStorage.removeItem(SINGLE); } catch { /* no storage */ }
    byId("entry").focus();
  });

  /* What others wrote comes in by itself, but not under a hand that is at work in the boards. */
  document.addEventListener("htmx:beforeRequest", (event) => {
    const busy = sending || document.querySelector(".more[open]") || byId("desk")?.contains(document.activeElement);
    if (event.target.id === "others" && busy) event.preventDefault();
  });
  document.addEventListener("htmx:beforeSwap", () => { kept = document.activeElement && document.activeElement.id; });
  document.addEventListener("htmx:afterSettle", () => {
    const field = kept && byId(kept);
    if (field && field !== document.activeElement) field.focus();
    if (!byId("entry-form")) return;
    next(waiting.length ? waiting[waiting.length - 1].of : Number(byId("entry-form").elements.board.value) - 1);
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (!byId("entry-form")) return;
    restore();
    byId("one-key").hidden = false;
    try { byId("single").checked = localStorage.getItem(SINGLE) === "yes"; } catch { /* no storage */ }
    next(Number(byId("entry-form").elements.board.value) - 1);
  });
  document.addEventListener("DOMContentLoaded", () => { for (const one of document.querySelectorAll("[data-print]")) { one.hidden = false; one.onclick = () => print(); } });
  /* The second tap of a double one may fall on another board, if the page was drawn again: it is nobody's. */
  document.addEventListener("click", (event) => { if (event.detail > 1 && event.target.closest(".deeds button")) event.preventDefault(); }, true);
  /* A link with a key of its own: the plies of a game, the screen of a hall. */
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, button, summary")) return;
    const link = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
    if (link) { event.preventDefault(); link.click(); }
  });
  /* A throttled trigger drops what comes meanwhile: a page that stays behind the line that it was told asks again. */
  let later = 0;
  const catchUp = (live, told) => {
    clearTimeout(later);
    later = setTimeout(() => {
      if (shown() >= told) return;
      htmx.trigger(live, "behind");
      catchUp(live, told);
    }, 3000);
  };
  document.addEventListener("htmx:sseMessage", (event) => catchUp(event.target, Number(event.detail.data)));
  /* A page that is left gives its stream back, of which a browser holds six; one that is come back to is asked for anew. */
  window.addEventListener("pagehide", () => {
    for (const live of document.querySelectorAll("[sse-connect]")) htmx.trigger(live, "htmx:beforeCleanupElement");
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted && document.querySelector("[sse-connect]")) location.reload(); });
  window.addEventListener("beforeunload", (event) => { if (waiting.length) event.preventDefault(); });
})();
