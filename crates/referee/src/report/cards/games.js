for (const game of document.querySelectorAll("section")) {
  const { lines, boards, moves } = JSON.parse(game.querySelector("script").textContent);
  const slider = game.querySelector("input");
  const [back, forward] = game.querySelectorAll("button");
  const show = () => {
    const nth = Number(slider.value);
    game.querySelector("pre").textContent = boards[nth].map((line) => lines[line]).join("\n");
    game.querySelector("output").textContent = nth > 0 ? `${nth}. ${moves[nth - 1] ?? ""}` : "opening";
  };
  slider.addEventListener("input", show);
  back.addEventListener("click", () => { slider.stepDown(); show(); });
  forward.addEventListener("click", () => { slider.stepUp(); show(); });
  show();
}
