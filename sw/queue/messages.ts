/**
 * What pages and worker tell each other about uploads. The items themselves are read from the
 * store.
 */
export type QueueMessage =
  | { type: 'changed'; id: string }
  | { type: 'progress'; id: string; share: number }
  | { type: 'sent'; id: string; userId: string; generation: unknown }
  | { type: 'cancel'; id: string }

const name = 'upload-queue'

/**
 * One end of the channel. What it posts is heard by every other end, those of the same page
 * included.
 */
export function openChannel(listen?: (message: QueueMessage) => void): {
  post: (message: QueueMessage) => void
  close: () => void
} {
  const channel = new BroadcastChannel(name)
  if (listen) channel.onmessage = (event: MessageEvent<QueueMessage>) => listen(event.data)
  return { post: (message) => channel.postMessage(message), close: () => channel.close() }
}
