import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { mutedInput, pushSettings, subscriptionInput } from '../schemas.ts'
import { readSettings, setMutedTopics, subscribe, unsubscribe } from './subscriptions.ts'

export function pushRoutes(deps: Deps) {
  const user = requireUser(deps)
  return [
    route('readPushSettings', 'GET /user/push', user, {
      summary: 'Get the push key and the notification settings',
      output: { 200: ['The settings', pushSettings] },
      handler: (c) => readSettings(deps, c.var.user.id),
    }),
    route('setMutedTopics', 'PUT /user/push', user, {
      summary: 'Set which notifications are off',
      input: { json: mutedInput },
      output: { 204: 'Saved' },
      handler: (c) => setMutedTopics(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('subscribeDevice', 'PUT /user/push/device', user, {
      summary: 'Subscribe this device to push messages until its session ends',
      input: { json: subscriptionInput },
      output: { 204: 'Subscribed' },
      errors: ['push.service_unknown', 'push.keys_invalid'],
      handler: (c) => subscribe(deps, { userId: c.var.user.id, sessionId: c.var.sessionId }, c.req.valid('json')),
    }),
    route('unsubscribeDevice', 'DELETE /user/push/device', user, {
      summary: 'Unsubscribe this device from push messages',
      output: { 204: 'Unsubscribed' },
      handler: (c) => unsubscribe(deps, c.var.sessionId),
    }),
  ]
}
