// The parts of forms: labelled fields with their faults, and choices of a few.
import { h } from "./view.js";

// A labelled field; `fault` is shown under it and read with it.
export function field(id, label, properties, fault = null, tag = "input", children = []) {
    const fits = fault ? { "aria-invalid": "true", "aria-describedby": `${id}-fault` } : { "aria-invalid": null, "aria-describedby": null };
    return h("div", { class: "field" },
        h("label", { for: id }, label),
        h(tag, { id, name: id, ...properties, ...fits }, children),
        fault && h("p", { class: "fault", id: `${id}-fault` }, fault));
}

// One of a few, as buttons beside each other: options are [value, text].
export function choice(name, legend, options, chosen, onchange) {
    return h("fieldset", { class: "field" }, h("legend", {}, legend),
        h("div", { class: "choice" }, options.map(([value, text]) =>
            h("label", { key: value }, h("input", {
                type: "radio", name, value, checked: value === chosen, onchange: () => onchange?.(value),
            }), text))));
}

// After a refused form the reader is at its first fault.
export function toFirstFault(form) {
    requestAnimationFrame(() => form.querySelector("[aria-invalid=true]")?.focus());
}
