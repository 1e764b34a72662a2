import { enqueuePush } from './enqueue-push.ts'
import { personalData } from './personal-data.ts'
import { pushQueues, workPush } from './work-push.ts'

export type { PushDefinition } from './push-definition.ts'

export const push = {
  enqueue: enqueuePush,
  personalData,
  queues: pushQueues,
  work: workPush,
}
