// Routes on a map, drawn as SVG: markers and lines to drag, pinch and zoom. `roundsman plan --map`
// puts this file into the page that it writes.
//
// A place is {latitude, longitude, badge, kind ("", "terminal", "late" or "out"), title, time, details,
// group, color}; a line is {points, estimated, group, color}. A group is a vehicle's route, of which
// one can be shown alone; colors are those of vehicles, where there are several.
// `follow.near` and `follow.pick` are told which place is pointed at and which is chosen, -1 for
// none, so that a list can keep in step. `streets` is what `draw_streets` returns, or null.
export function drawRouteMap(container, places, lines, follow, streets) {
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const draw = (tag, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  };
  const button = (label, face) => {
    const element = make("button", "", face);
    element.type = "button";
    element.setAttribute("aria-label", label);
    return element;
  };
  const [zoomIn, zoomOut, whole] = [button("Zoom in", "+"), button("Zoom out", "\u2212"), button("Show the whole route")];
  whole.append(make("span"));
  const tools = make("div", "tools"), scale = make("div", "scale"), tip = make("div", "tip");
  tools.append(zoomIn, zoomOut, whole);
  tip.hidden = true;
  const svg = draw("svg", { role: "img", "aria-label": "Map of the route" }, container);
  container.append(tools, scale, tip);

  // x and y are Mercator units in which the world is 1 wide; longitudes are counted on from the
  // first place, so that a route over the date line stays in one piece.
  const middle = places[0].longitude;
  const project = ({ latitude, longitude }) => {
    const turn = ((longitude - middle + 540) % 360) - 180;
    const sine = Math.sin(Math.max(-85, Math.min(85, latitude)) * Math.PI / 180);
    return { x: (middle + turn) / 360, y: -Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
  };
  places = places.map((place) => ({ ...place, ...project(place) }));
  lines = lines.map((line) => ({ ...line, points: line.points.map(project) }));

  // The drawing: built once, moved on every change of the view.
  const grid = draw("g", { class: "grid" }, svg);
  const ground = streets && drawGround();
  const names = draw("g", { class: "names" }, svg);
  const casing = draw("path", { class: "casing" }, svg);
  // Lines of one color, and estimated or not, are one path.
  const ways = [...new Set(lines.map(styleOf))].map((style) => {
    const { color, estimated } = lines.find((line) => styleOf(line) === style);
    const path = draw("path", { class: estimated ? "way guess" : "way" }, svg);
    if (color) path.style.stroke = color;
    return { style, path };
  });
  const arrows = draw("g", {}, svg);
  const dots = draw("g", {}, svg);
  const markers = draw("g", {}, svg);
  places.forEach((place, index) => {
    place.marker = draw("g", { class: `marker ${place.kind}`, "data-index": index }, markers);
    if (place.kind === "terminal") place.shape = draw("rect", { x: -12, y: -12, width: 24, height: 24, rx: 6 }, place.marker);
    else place.shape = draw("circle", {}, place.marker);
    place.radius = 9.5 + 1.5 * place.badge.length - (place.badge.length === 1);
    if (place.color) {
      place.shape.style.fill = place.color;
      place.marker.classList.add("colored");
    }
    place.text = draw("text", {}, place.marker);
    place.text.textContent = place.badge;
    place.marker.addEventListener("pointerenter", () => hover(index));
    place.marker.addEventListener("pointerleave", () => hover(-1));
  });

  const view = { x: 0, y: 0, zoom: 1 };
  let picked = -1, hovered = -1, only = null;
  const isShown = ({ group }) => only === null || group === only;
  function styleOf(line) {
    return `${line.color ?? ""} ${line.estimated}`;
  }

  // Streets by class over all tiles, so that the water of one tile covers no road of the next.
  function drawGround() {
    const all = draw("g", { class: "ground" }, svg);
    const layer = (name, edge) => {
      for (const { x, y, paths } of streets.tiles) {
        if (paths[name]) draw("path", { class: edge ? `${name} edge` : name, d: paths[name], transform: `translate(${x} ${y})` }, all);
      }
    };
    for (const name of ["green", "water", "stream", "rail"]) layer(name);
    for (const name of ["minor_road", "major_road", "highway"]) layer(name, true);
    for (const name of ["minor_road", "major_road", "highway"]) layer(name);
    return all;
  }

  // Roads are as wide as they are, and never so narrow that they vanish.
  function moveGround() {
    const [x, y] = onScreen({ x: streets.x - 0.5, y: streets.y - 0.5 });
    const unit = streets.unit * view.zoom, meters = metersPerPixel();
    ground.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${unit})`);
    const widths = { minor: [7, 0.6], major: [11, 1.4], highway: [15, 2.2] };
    for (const [name, [wide, least]] of Object.entries(widths)) ground.style.setProperty(`--${name}`, `${Math.min(26, Math.max(least, wide / meters))}px`);
    drawNames(x, y, unit);
  }

  // The most important names that cover no other and no place; a road's where it is straight enough.
  function drawNames(left, top, unit) {
    names.replaceChildren();
    const width = svg.clientWidth, height = svg.clientHeight;
    const taken = places.filter(isShown).map((place) => [...onScreen(place), 12, 12]);
    const most = taken.length + 80;
    for (const { x, y, text, degrees, length, rank } of streets.names) {
      const across = left + x * unit, down = top + y * unit, wide = text.length * (rank ? 6 : 8);
      if (across < 0 || down < 0 || across > width || down > height || (length && length * unit < wide)) continue;
      const turn = degrees * Math.PI / 180;
      const half = [(wide * Math.cos(turn) + 14 * Math.abs(Math.sin(turn))) / 2 + 6, (wide * Math.abs(Math.sin(turn)) + 14 * Math.cos(turn)) / 2 + 4];
      if (taken.some(([a, b, c, d]) => Math.abs(a - across) < c + half[0] && Math.abs(b - down) < d + half[1])) continue;
      taken.push([across, down, ...half]);
      const name = draw("text", { class: length ? "road" : rank ? "part" : "town", transform: `translate(${across.toFixed(1)} ${down.toFixed(1)}) rotate(${degrees})` }, names);
      name.textContent = text;
      if (taken.length === most) return;
    }
  }

  const onScreen = (place) => [(place.x - view.x) * view.zoom + svg.clientWidth / 2, (place.y - view.y) * view.zoom + svg.clientHeight / 2];

  function fit() {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const { x, y } of [...places.filter(isShown), ...lines.filter(isShown).flatMap((line) => line.points)]) {
      left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
    }
    view.x = (left + right) / 2;
    view.y = (top + bottom) / 2;
    const room = Math.min(56, svg.clientWidth / 8);
    const across = (svg.clientWidth - 2 * room) / Math.max(right - left, 1e-9);
    const down = (svg.clientHeight - 2 * room) / Math.max(bottom - top, 1e-9);
    view.zoom = Math.min(across, down, 2e7);
    render();
  }

  // A number is shown where it covers no other, and on a crowded screen where it leaves the line
  // visible; the rest are dots until one zooms in.
  function settle(points) {
    const gap = svg.clientWidth * svg.clientHeight < places.length * 2500 ? 14 : 0;
    const taken = [];
    const order = places.map((_, index) => index);
    const rank = (index) => (index === picked || index === hovered ? 0 : places[index].kind === "terminal" ? 1 : places[index].kind === "late" ? 2 : 3);
    order.sort((one, other) => rank(one) - rank(other) || one - other);
    for (const index of order) {
      const [x, y] = points[index];
      const place = places[index];
      place.marker.toggleAttribute("hidden", !isShown(place));
      if (!isShown(place)) continue;
      const free = rank(index) === 0 || taken.every(([a, b, radius]) => Math.hypot(a - x, b - y) > radius + place.radius + gap);
      if (free) taken.push([x, y, place.radius]);
      place.text.toggleAttribute("hidden", !free);
      if (place.kind === "terminal") place.marker.toggleAttribute("hidden", !free);
      else place.shape.setAttribute("r", free ? place.radius : 4.5);
      const layer = free ? markers : dots;
      if (place.marker.parentNode !== layer) layer.append(place.marker);
    }
  }

  function render() {
    const points = places.map(onScreen);
    const drawn = lines.map((line) => line.points.map(onScreen));
    const trace = (wanted) => drawn.filter((_, index) => isShown(lines[index]) && wanted(lines[index])).map((line) => "M" + line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")).join("");
    casing.setAttribute("d", trace(() => true));
    for (const { style, path } of ways) path.setAttribute("d", trace((line) => styleOf(line) === style));
    settle(points);
    points.forEach(([x, y], index) => {
      const { marker } = places[index];
      marker.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      marker.classList.toggle("picked", index === picked);
      marker.classList.toggle("near", index === hovered);
    });
    for (const index of [hovered, picked]) if (index >= 0) markers.append(places[index].marker);
    drawArrows(drawn);
    if (ground) moveGround();
    else drawGrid();
    drawScale();
    drawTip(points);
  }

  // An arrow in the middle of every long straight, and every so often along a winding road.
  function drawArrows(drawn) {
    arrows.replaceChildren();
    const width = svg.clientWidth, height = svg.clientHeight;
    for (const [number, line] of drawn.entries()) {
      const { color } = lines[number];
      if (!isShown(lines[number])) continue;
      let since = 0;
      for (let index = 1; index < line.length; index++) {
        const [x, y] = line[index - 1], [a, b] = line[index];
        const length = Math.hypot(a - x, b - y);
        since += length;
        const centre = [(x + a) / 2, (y + b) / 2];
        if (length < 4 || since < 64 || (line.length > 2 && length < 64 && since < 160)) continue;
        since = 0;
        if (centre[0] < 0 || centre[1] < 0 || centre[0] > width || centre[1] > height) continue;
        const angle = Math.atan2(b - y, a - x) * 180 / Math.PI;
        const arrow = draw("path", { class: "arrow", d: "M-5-5L6 0L-5 5Z", transform: `translate(${centre[0]} ${centre[1]}) rotate(${angle})` }, arrows);
        if (color) arrow.style.fill = color;
      }
    }
  }

  const metersPerPixel = () => {
    const latitude = 2 * Math.atan(Math.exp(-view.y * 2 * Math.PI)) - Math.PI / 2;
    return 40075017 * Math.cos(latitude) / view.zoom;
  };
  const round = (value) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return power * [5, 2, 1].find((step) => step * power <= value);
  };

  function drawGrid() {
    grid.replaceChildren();
    const width = svg.clientWidth, height = svg.clientHeight;
    const step = round(metersPerPixel() * 160) / metersPerPixel();
    const origin = onScreen(places[0]);
    for (let x = ((origin[0] % step) + step) % step; x < width; x += step) draw("line", { x1: x, x2: x, y1: 0, y2: height }, grid);
    for (let y = ((origin[1] % step) + step) % step; y < height; y += step) draw("line", { x1: 0, x2: width, y1: y, y2: y }, grid);
  }

  function drawScale() {
    const meters = round(metersPerPixel() * 130);
    scale.style.width = `${meters / metersPerPixel()}px`;
    scale.textContent = meters >= 1000 ? `${meters / 1000} km` : `${meters} m`;
  }

  function drawTip(points) {
    const index = hovered >= 0 ? hovered : picked;
    tip.hidden = index < 0;
    if (tip.hidden) return;
    const place = places[index], [x, y] = points[index];
    const told = [place.time, place.title].filter(Boolean).join(" \u00b7 ");
    tip.replaceChildren(make("b", "", told), ...place.details.map((part) => make("div", "", part)));
    tip.classList.toggle("below", y < 130);
    tip.style.left = `${Math.max(140, Math.min(svg.clientWidth - 140, x))}px`;
    tip.style.top = `${y}px`;
  }

  function hover(index) {
    if (dragged) return;
    hovered = index;
    follow.near(index);
    render();
  }

  function pick(index) {
    picked = index;
    follow.pick(index);
    render();
  }

  function pickFromList(index) {
    picked = index;
    Object.assign(view, { x: places[index].x, y: places[index].y });
    render();
  }

  function showOnly(group) {
    only = group;
    fit();
  }

  function zoomAt(factor, x, y) {
    const zoom = Math.max(200, Math.min(1e9, view.zoom * factor));
    const dx = x - svg.clientWidth / 2, dy = y - svg.clientHeight / 2;
    view.x += dx / view.zoom - dx / zoom;
    view.y += dy / view.zoom - dy / zoom;
    view.zoom = zoom;
    render();
  }

  // One finger or the mouse drags, two fingers pinch; a press that did not move picks.
  const fingers = new Map();
  let dragged = false;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (fingers.size === 1) dragged = false;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const after = [event.offsetX, event.offsetY];
    if (!dragged && Math.hypot(after[0] - before[0], after[1] - before[1]) < 4) return;
    dragged = true;
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("dragged");
    fingers.set(event.pointerId, after);
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const spread = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
      zoomAt(spread(after) / spread(before), (after[0] + other[0]) / 2, (after[1] + other[1]) / 2);
    } else {
      view.x -= (after[0] - before[0]) / view.zoom;
      view.y -= (after[1] - before[1]) / view.zoom;
      render();
    }
  });
  const release = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    svg.classList.remove("dragged");
    if (!dragged && event.type === "pointerup") {
      const marker = event.target.closest?.(".marker");
      pick(marker ? Number(marker.dataset.index) : -1);
    }
    if (!fingers.size) dragged = false;
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
  }, { passive: false });
  zoomIn.addEventListener("click", () => zoomAt(1.6, svg.clientWidth / 2, svg.clientHeight / 2));
  zoomOut.addEventListener("click", () => zoomAt(1 / 1.6, svg.clientWidth / 2, svg.clientHeight / 2));
  whole.addEventListener("click", fit);
  let size = "";
  new ResizeObserver(() => {
    const now = `${svg.clientWidth}x${svg.clientHeight}`;
    if (svg.isConnected && now !== size) { size = now; fit(); }
  }).observe(svg);
  fit();
  return { hover, pick: pickFromList, showOnly };
}
