import type { Deps } from '#server/deps.ts'
import { workOutbox } from '#server/outbox.ts'
import { enqueuePush } from './enqueue-push.ts'
import { personalData } from './personal-data.ts'
import type { PushDefinitions } from './push-definition.ts'
import { sendPush } from './send-push.ts'
import { pushQueue } from './table.ts'

export type { PushDefinition } from './push-definition.ts'

export const push = {
  enqueue: enqueuePush,
  personalData,
  work: (deps: Deps, definitions: PushDefinitions) =>
    workOutbox(deps, pushQueue, 4, (id) => sendPush(deps, definitions, id)),
}
