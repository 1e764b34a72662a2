/** Items are read from the store. */
export type QueueMessage =
  | { type: 'changed'; id: string }
  | { type: 'progress'; id: string; share: number }
  | { type: 'sent'; id: string; userId: string; generation: unknown }
  | { type: 'cancel'; id: string }

/** The listener also receives our own messages. */
export function openChannel(onMessage: (message: QueueMessage) => void): (message: QueueMessage) => void {
  const channel = new BroadcastChannel('upload-queue')
  channel.onmessage = (event: MessageEvent<QueueMessage>) => onMessage(event.data)
  return (message) => {
    channel.postMessage(message)
    onMessage(message)
  }
}
