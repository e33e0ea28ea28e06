/** Scrolls a row sideways so that `element` is in its middle. After `scrollIntoView`, Tab would go on from there. */
export function scrollToMiddle(row: Element, element: Element): void {
  const middleOf = ({ left, width }: DOMRect) => left + width / 2
  row.scrollLeft += middleOf(element.getBoundingClientRect()) - middleOf(row.getBoundingClientRect())
}
