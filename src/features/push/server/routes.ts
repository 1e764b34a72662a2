import { Hono } from 'hono'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import { done } from '#server/http/done.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import { mutedInput, pushSettings, subscriptionInput } from '../schemas.ts'
import { readSettings, setMutedTopics, subscribe, unsubscribe } from './subscriptions.ts'

export function pushRoutes(deps: Deps) {
  const user = requireUser(deps)
  return new Hono<UserEnv>()
    .get(
      '/user/push',
      documented('Get the push key and the notification settings', respondsWith(200, 'The settings', pushSettings)),
      user,
      async (c) => c.json(await readSettings(deps, c.var.user.id)),
    )
    .put(
      '/user/push',
      documented('Set which notifications are off', respondsWith(204, 'Saved')),
      user,
      jsonOnly,
      validJson(mutedInput),
      async (c) => done(c, setMutedTopics(deps, c.var.user.id, c.req.valid('json'))),
    )
    .put(
      '/user/push/device',
      documented('Subscribe this device to push messages until its session ends', respondsWith(204, 'Subscribed')),
      user,
      jsonOnly,
      validJson(subscriptionInput),
      async (c) => done(c, subscribe(deps, { userId: c.var.user.id, sessionId: c.var.sessionId }, c.req.valid('json'))),
    )
    .delete(
      '/user/push/device',
      documented('Unsubscribe this device from push messages', respondsWith(204, 'Unsubscribed')),
      user,
      async (c) => done(c, unsubscribe(deps, c.var.sessionId)),
    )
}
