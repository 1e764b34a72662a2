import type { Deps } from '#server/deps.ts'
import { type EventDeps, type EventListener, EventStream } from './event-stream.ts'

/** Connections a person may hold at once; a new one beyond them ends the oldest, which on a phone is most likely dead already. */
const mostStreams = 10

/** Hands what changed to the connections of the person it belongs to. */
export function createEventHub(deps: EventDeps & Pick<Deps, 'notifier'>) {
  const streams = new Map<string, Set<EventStream>>()
  deps.notifier.subscribe((notification) => {
    const concerned =
      notification.kind === 'resync'
        ? [...streams.values()]
        : 'userId' in notification
          ? [streams.get(notification.userId) ?? []]
          : []
    for (const group of concerned) for (const stream of group) stream.receive(notification)
  })

  return {
    open(who: EventListener): ReadableStream<Uint8Array> {
      const mine = streams.get(who.userId) ?? new Set<EventStream>()
      streams.set(who.userId, mine)
      const stream: EventStream = new EventStream(deps, who, () => {
        mine.delete(stream)
        if (mine.size === 0 && streams.get(who.userId) === mine) streams.delete(who.userId)
      })
      mine.add(stream)
      if (mine.size > mostStreams) [...mine][0]?.end()
      return stream.body
    },
  }
}
