"use strict";
/* The search of the API reference: entries that lack a word of the search are hidden. Without this script the page lists all. */
(() => {
  const form = document.getElementById("find-form"), input = document.getElementById("find"), found = document.getElementById("found");
  if (!form) return;
  const entries = [...document.querySelectorAll("[data-find] > li")];
  const words = entries.map((entry) => `${entry.textContent} ${entry.dataset.words ?? ""}`.toLowerCase());
  const prose = document.querySelector(".prose");

  const search = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    entries.forEach((entry, n) => {
      entry.hidden = !wanted.every((word) => words[n].includes(word));
      if (!entry.hidden) count += 1;
    });
    for (const section of document.querySelectorAll("section:has([data-find])")) section.hidden = !section.querySelector("li:not([hidden])");
    if (prose) prose.hidden = wanted.length > 0;
    found.textContent = wanted.length ? String(count || found.dataset.none) : "";
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", search);
  search();
})();
