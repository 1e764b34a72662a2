import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { createEventHub } from './event-hub.ts'
import type { EventSources } from './events.ts'
import { parsePositions } from './positions.ts'

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
