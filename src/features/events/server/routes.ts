import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { EventStream } from './event-stream.ts'
import type { EventDeps, EventListener, EventSources } from './events.ts'
import type { Positions } from './positions.ts'
import { parsePositions } from './positions.ts'

/** Further connections end the user's oldest, which on a phone is most likely dead. */
const maxStreams = 10

function createEventHub(deps: EventDeps & Pick<Deps, 'notifier'>, sources: EventSources) {
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
    open(listener: EventListener & { resumeFrom: Positions }): ReadableStream<Uint8Array> {
      const { userId } = listener
      const mine = streams.get(userId) ?? new Set<EventStream>()
      streams.set(userId, mine)
      const stream: EventStream = new EventStream(deps, sources, listener, () => {
        mine.delete(stream)
        if (mine.size === 0 && streams.get(userId) === mine) streams.delete(userId)
      })
      mine.add(stream)
      if (mine.size > maxStreams) [...mine][0]?.end()
      return stream.body
    },
  }
}

export function eventRoutes(deps: Deps, sources: EventSources) {
  const hub = createEventHub(deps, sources)
  const names = Object.keys(sources).map((name) => `\`${name}\``)
  return [
    route('streamEvents', 'GET /events', requireUser(deps), {
      summary: `Stream changes as server-sent events ${names.join(', ')}; resumes after Last-Event-ID`,
      output: {
        200: { description: 'The event stream, open until the session ends', content: { 'text/event-stream': {} } },
      },
      handler: (c) => {
        const body = hub.open({
          userId: c.var.user.id,
          sessionId: c.var.sessionId,
          language: c.var.language,
          resumeFrom: parsePositions(c.req.header('last-event-id')),
        })
        return c.body(body, 200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
      },
    }),
  ]
}
