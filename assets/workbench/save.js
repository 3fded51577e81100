/* The drawing as a file of its own: what is shown, in the colours of the page, without anything of the page. */

import { set, svg } from "./make.js";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "font-size", "font-weight", "font-family", "opacity", "text-anchor", "paint-order", "stroke-linejoin"];
const MARGIN = 24, SHARP = 2, MOST = 12000;

export function pictureOf(pane) {
  const { data, picture } = pane, copy = picture.cloneNode(true);
  const zoom = picture.getAttribute("class");
  picture.setAttribute("class", "picture near"); // text of cards, however far away one looks from
  const live = picture.querySelectorAll("*"), made = copy.querySelectorAll("*"), gone = [];
  live.forEach((element, i) => {
    const style = getComputedStyle(element);
    if ((style.display === "none" || element.matches(".scissors")) && element !== pane.drawing.world) gone.push(made[i]);
    for (const name of KEPT) made[i].style.setProperty(name, style.getPropertyValue(name));
  });
  picture.setAttribute("class", zoom);
  for (const element of gone) element.remove();
  const wide = Math.ceil(data.width + 2 * MARGIN + 40), high = Math.ceil(data.height + 2 * MARGIN);
  set(copy, { xmlns: "http://www.w3.org/2000/svg", width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  copy.removeAttribute("style");
  const world = copy.querySelector(".world");
  world.style.display = ""; // while all of the tree is shown in another shape, too
  world.setAttribute("transform", `translate(${MARGIN} ${MARGIN})`);
  const paper = svg("rect", { width: "100%", height: "100%", fill: getComputedStyle(pane.root).backgroundColor });
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), wide, high };
}

export async function save(pane, kind, name) {
  const { text, wide, high } = pictureOf(pane);
  let blob = new Blob([text], { type: "image/svg+xml" });
  if (kind === "png") blob = await painted(blob, wide, high);
  download(blob, `${name}.${kind}`);
}

/* A drawing as it stands, on its ground, as a file. */
export function saveDrawing(picture, ground, name) {
  const copy = picture.cloneNode(true), made = copy.querySelectorAll("*");
  const { clientWidth: width, clientHeight: height } = picture;
  picture.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const kept of KEPT) made[i].style.setProperty(kept, style.getPropertyValue(kept));
  });
  set(copy, { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` });
  copy.prepend(svg("rect", { width: "100%", height: "100%", fill: ground }));
  download(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }), `${name}.svg`);
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function painted(blob, wide, high) {
  const image = new Image(), address = URL.createObjectURL(blob);
  image.src = address;
  await image.decode();
  const sharp = Math.min(SHARP, MOST / Math.max(wide, high)), canvas = document.createElement("canvas");
  set(canvas, { width: Math.round(wide * sharp), height: Math.round(high * sharp) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}
