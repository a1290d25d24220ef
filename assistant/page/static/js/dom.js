/** Small helpers to build and to keep up to date what is on the page. Text goes in as text, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. Properties: `class`, `text`, `on` ({click: fn}), `data` ({seat: 1}), everything else is an attribute;
 * `false`, `null` and `undefined` leave an attribute out, `true` sets it empty.
 * @param {string} tag
 * @param {Object<string, any>} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * An SVG element, as `el`.
 * @param {string} tag
 * @param {Object<string, any>} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name === "class") element.setAttribute("class", value);
    else if (name === "text") element.textContent = value;
    else if (name === "on") for (const [event, fn] of Object.entries(value)) element.addEventListener(event, fn);
    else if (name === "data") for (const [key, what] of Object.entries(value)) setData(element, key, what);
    else setAttribute(element, name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Set, or take away, an attribute; nothing is touched where it is so already. */
export function setAttribute(element, name, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value === true ? "" : value)) element.setAttribute(name, value === true ? "" : String(value));
}

/** Set, or take away, a `data-` attribute. */
export function setData(element, key, value) {
  if (value === false || value === null || value === undefined) delete element.dataset[key];
  else if (element.dataset[key] !== String(value)) element.dataset[key] = String(value);
}

/** The text of an element, written only where it changes: a screen reader is not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Make the children of `parent` those of `items`, in their order, and keep the elements of those that were there:
 * focus stays where it is, and only what is new moves in.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key  a change of key is a new element
 * @param {(item: T) => Element} make
 * @param {(element: Element, item: T) => void} [update]
 */
export function keyed(parent, items, key, make, update) {
  const known = new Map();
  for (const child of parent.children) known.set(child.dataset.key, child);
  let place = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = known.get(name);
    known.delete(name);
    if (!element) {
      element = make(item);
      element.dataset.key = name;
    }
    if (update) update(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const gone of known.values()) gone.remove();
}

/** Take everything out of an element. */
export function empty(element) {
  while (element.firstChild) element.firstChild.remove();
  return element;
}
