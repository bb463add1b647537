"use strict";
/* The screen of a hall: asks for its next page, for ever. If nobody answers, it shows the pages that it has, and says so. */
(() => {
  const ASK_AGAIN = 3000, ANSWER = 5000, STALE = 15000;
  const kept = new Map();
  const main = () => document.getElementById("main");
  const seconds = () => 1000 * Number(main().dataset.seconds);
  let shown = performance.now(), answered = shown, failed = false, asked = 0;
  /* The time of the server, which need not be that of this machine. */
  let clock = { server: Date.parse(main().dataset.now), here: shown };
  const now = () => clock.server + performance.now() - clock.here;

  const local = (time, seconds) => {
    const shape = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...seconds && { second: "2-digit" } };
    try { return new Date(time).toLocaleTimeString([], { ...shape, timeZone: main().dataset.zone }); }
    catch { return new Date(time).toLocaleTimeString([], shape); }
  };

  const show = (page) => {
    main().replaceWith(page.cloneNode(true));
    shown = performance.now();
    tick();
  };

  /* Fetch a page and show it. Without an answer, show the copy of it, if there is one. */
  const go = async (address) => {
    const mine = ++asked;
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER), cache: "no-store" });
      const page = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
      if (!page?.dataset.now) throw new Error(answer.status);
      failed = false;
      answered = performance.now();
      clock = { server: Date.parse(page.dataset.now), here: answered };
      kept.set(page.dataset.here, page).set(address, page);
      if (mine === asked) show(page);
    } catch {
      failed = true;
      if (mine === asked && address !== main().dataset.here) show(kept.get(address) ?? main());
    }
  };

  const tick = () => {
    const note = document.getElementById("stale"), stale = failed && performance.now() - answered > STALE;
    note.hidden = !stale;
    note.querySelector("time").textContent = local(Date.parse(main().dataset.now), true);
    document.body.classList.toggle("stale", stale);
    document.getElementById("clock").textContent = local(now());
    const countdown = document.getElementById("countdown");
    if (!countdown) return;
    const left = Math.max(0, Math.ceil((Date.parse(countdown.dataset.begins) - now()) / 1000));
    let time = document.getElementById("left");
    if (!time) countdown.append(" ", time = Object.assign(document.createElement("b"), { id: "left" }));
    const two = (n) => String(n).padStart(2, "0");
    time.textContent = (left >= 3600 ? `${Math.floor(left / 3600)}:` : "") + `${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  };

  /* When its time is over, a page is followed by the next one. Until there is an answer again, it is asked for meanwhile. */
  const run = async () => {
    for (;;) {
      const left = seconds() - (performance.now() - shown);
      await new Promise((done) => setTimeout(done, failed ? ASK_AGAIN : Math.max(left, 250)));
      const over = performance.now() - shown >= seconds();
      if (over || failed) await go(over ? main().dataset.next : main().dataset.here);
    }
  };

  /* A link to another page of the screen is followed here: a browser that got no answer would show an error for ever. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("nav a:not([data-leave])");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, "", link.href);
    go(link.getAttribute("href"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const link = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
    if (link) { event.preventDefault(); link.click(); }
  });
  kept.set(main().dataset.here, main().cloneNode(true));
  setInterval(tick, 1000);
  tick();
  run();
})();
