/** By text node taken out of the page: the element in its place, and all texts that it replaced. */
const replacements = new WeakMap<Node, { element: Element; texts: Text[] }>()
/** Taken out by our own code, so most likely for good. */
const removed = new WeakSet<Node>()
let observer: MutationObserver | undefined

/**
 * Page translation and extensions replace the text nodes of React by elements of their own. React
 * then writes into a detached node, which leaves an old price on the page, and fails to remove one
 * or to insert beside it, which ends the page. Texts taken out by others come back before React
 * touches them; a translator sees them as new and translates them again.
 */
export function tolerateForeignChanges(root: Node): void {
  observer = new MutationObserver(note)
  observer.observe(root, { childList: true, subtree: true })
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode !== this) bringBack(child)
    removed.add(child)
    const parent = this.contains(child) ? child.parentNode : null
    return parent === null ? child : (removeChild.call(parent, child) as Child)
  }
  Node.prototype.insertBefore = function <Added extends Node>(this: Node, added: Added, before: Node | null): Added {
    if (before && before.parentNode !== this) bringBack(before)
    removed.delete(added)
    return insertBefore.call(this, added, childAround(this, before)) as Added
  }
}

/** The child of `parent` that is or contains `node`; null, for the end, if there is none. */
function childAround(parent: Node, node: Node | null): Node | null {
  let child = node
  while (child && child.parentNode !== parent) child = child.parentNode
  return child
}

function note(records: MutationRecord[]): void {
  for (const record of records) {
    if (record.type === 'characterData') bringBack(record.target)
    else noteReplacement(record)
  }
}

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
/** React marks its own elements. */
const isForeign = (node: Node | null): node is Element =>
  node?.nodeType === Node.ELEMENT_NODE && !Object.keys(node).some((key) => key.startsWith('__reactFiber$'))

/** The element came in the same change, or it is a neighbour. */
function noteReplacement({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
  const texts = [...removedNodes].filter(isText).filter((text) => !text.isConnected)
  const element = texts.length > 0 && [...addedNodes, previousSibling, nextSibling].find(isForeign)
  if (!element) return
  const known = replacements.get(element) ?? { element, texts: [] }
  replacements.set(element, known)
  for (const text of texts) {
    if (!known.texts.includes(text)) known.texts.push(text)
    replacements.set(text, known)
    // Changes of a detached node are seen as well.
    observer?.observe(text, { characterData: true })
  }
}

/** Puts the text back where its replacement is, with the others that the same element replaced. */
function bringBack(node: Node): void {
  note(observer?.takeRecords() ?? [])
  const found = replacements.get(node)
  if (!found || node.isConnected) return
  for (const text of found.texts) replacements.delete(text)
  replacements.delete(found.element)
  const back = found.texts.filter((text) => text === node || !(text.isConnected || removed.has(text)))
  if (found.element.isConnected) found.element.replaceWith(...back)
}
