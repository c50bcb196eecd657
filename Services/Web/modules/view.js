// Screens are functions from a model to a tree of plain objects; `show` brings the document in line with the tree and
// leaves what is equal alone, so that focus, typing and announcements survive a new model.

const SVG = "http://www.w3.org/2000/svg";
const drawn = new Set(["svg", "path", "rect", "line", "circle", "g"]);
const known = new WeakMap();

// An element of a tree: h("p", { class: "note" }, "text", child, condition && child). Children are told apart by their places and
// keys; what is absent keeps its place.
export function h(tag, properties, ...children) {
    return { tag, properties: properties ?? {}, children: children.flat(Infinity).map(asTree) };
}

const asTree = (child) => (child?.tag ? child : child === null || child === undefined || child === false ? "" : String(child));

// Brings what is inside `parent` in line with a list of trees.
export function show(parent, ...trees) {
    const wanted = trees.flat(Infinity).map(asTree);
    wanted.forEach((tree, index) => place(parent, parent.childNodes[index], tree));
    while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

function place(parent, node, tree) {
    if (typeof tree === "string") {
        if (node?.nodeType !== Node.TEXT_NODE) put(parent, node, document.createTextNode(tree));
        else if (node.data !== tree) node.data = tree;
        return;
    }
    const before = node && known.get(node);
    if (before?.tag === tree.tag && before.properties.key === tree.properties.key) {
        apply(node, tree.properties, before.properties);
    } else {
        const made = drawn.has(tree.tag) ? document.createElementNS(SVG, tree.tag) : document.createElement(tree.tag);
        // Children first: a select takes its value only among the options that it has.
        show(made, tree.children);
        apply(made, tree.properties, {});
        known.set(made, tree);
        put(parent, node, made);
        return;
    }
    known.set(node, tree);
    show(node, tree.children);
}

function put(parent, node, made) {
    if (node) parent.replaceChild(made, node);
    else parent.append(made);
}

function apply(element, properties, before) {
    for (const name of Object.keys(before)) if (!(name in properties)) set(element, name, null);
    for (const [name, value] of Object.entries(properties)) {
        if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
        else if (before[name] !== value) set(element, name, value);
    }
}

function set(element, name, value) {
    if (name === "key") return;
    if (name.startsWith("on") || name === "value" || name === "checked" || name === "disabled") {
        element[name] = name === "value" ? value ?? "" : value;
    } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
}
