interface Change {
  /** Taken out of the page, in the order of their removal. */
  gone: ChildNode[]
  /** In their place. */
  added: ChildNode[]
}

interface Place {
  parent: Node
  previous: Node | null
  next: Node | null
}

/** By node taken out, by the first node in its place, and by the parent of nodes without any. */
const changes = new WeakMap<Node, Change>()
/** Former places of nodes that were taken out. */
const places = new WeakMap<Node, Place>()
/** Parts split off a text, which hold words that React replaces in the first part. */
const tails = new WeakMap<Node, ChildNode[]>()
const heads = new WeakMap<Node, Node>()
/** Taken out by our own code, so most likely for good. */
const removed = new WeakSet<Node>()
let observer: MutationObserver | undefined
let insertBeforeOf: (parent: Node, node: Node, before: Node | null) => void

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
  insertBeforeOf = (parent, node, before) => void insertBefore.call(parent, node, before)
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (child.parentNode !== this || tails.has(child)) bringBack(child)
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
/** React marks its own nodes, except the text that an element has alone. */
const isOwn = (node: Node) => Object.keys(node).some((key) => key.startsWith('__reactFiber$'))
const isForeign = (node: Node | null): node is Element => node?.nodeType === Node.ELEMENT_NODE && !isOwn(node)

/** The replacement came in the same change, or it is a neighbour. */
function noteReplacement({ target, addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
  const gone = ([...removedNodes] as ChildNode[]).filter((node) => !node.isConnected && (isText(node) || isOwn(node)))
  const neighbour = [...addedNodes, previousSibling, nextSibling].find(isForeign)
  const others = ([...addedNodes] as ChildNode[]).filter((node) => !isOwn(node))
  const added = others.length > 0 ? others : neighbour ? [neighbour] : []
  const first = previousSibling && (heads.get(previousSibling) ?? previousSibling)
  if (gone.length === 0 && first && isText(first) && isOwn(first)) {
    const parts = others.filter(isText)
    for (const part of parts) heads.set(part, first)
    tails.set(first, [...(tails.get(first) ?? []), ...parts])
    observer?.observe(first, { characterData: true })
  }
  const known = changes.get(added[0] ?? target) ?? { gone: [], added }
  for (const node of gone) {
    // React takes out its own nodes; texts without a mark it replaces itself.
    if (added.length === 0 && (removed.has(node) || !isOwn(node))) continue
    if (!known.gone.includes(node)) known.gone.push(node)
    changes.set(added[0] ?? target, known)
    changes.set(node, known)
    places.set(node, { parent: target, previous: previousSibling, next: nextSibling })
    // Changes of a detached node are seen as well.
    observer?.observe(node, { characterData: true })
  }
}

/** Puts the node back where its replacement is, with the others that were taken out with it. */
function bringBack(node: Node): void {
  note(observer?.takeRecords() ?? [])
  for (const tail of tails.get(node) ?? []) tail.remove()
  tails.delete(node)
  const found = changes.get(node)
  if (!found || node.isConnected) return
  const { gone, added } = found
  for (const one of [...gone, ...added]) changes.delete(one)
  const back = gone.filter((one) => one === node || !(one.isConnected || removed.has(one)))
  const place = added.find(({ isConnected }) => isConnected)
  if (place) place.before(...back)
  else if (added.length === 0) for (const one of back.toReversed()) putBack(one)
  for (const one of added) one.remove()
}

function putBack(node: ChildNode): void {
  const place = places.get(node)
  if (!place) return
  const { parent, previous } = place
  changes.delete(parent)
  const behind = previous?.parentNode === parent ? previous.nextSibling : parent.firstChild
  insertBeforeOf(parent, node, nextInPage(place) ?? behind)
  restoreJoined(node.previousSibling)
}

/** Siblings may have been taken out later. */
function nextInPage({ parent, next }: Place): Node | null {
  let found = next
  while (found && found.parentNode !== parent) found = places.get(found)?.next ?? null
  return found
}

/** Joining texts leaves the words of all in the first one; React holds its own. */
function restoreJoined(text: Node | null): void {
  if (!text || !isText(text)) return
  const own = Object.entries(text).find(([key]) => key.startsWith('__reactFiber$'))?.[1]?.memoizedProps
  if (typeof own === 'string' && text.length > own.length && text.data.startsWith(own)) text.data = own
}
