/** Vue's marks of scoped styles, as properties of a dataset. */
const scopeId = /^v(?:-[0-9]|[A-F])[0-9a-f]{7}$/

/** Returns the `data-` attributes of an element that the mini app wrote. */
export function datasetOf(element: HTMLElement): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(element.dataset).filter(([name]) => !scopeId.test(name)))
}
