import { parentPort } from 'node:worker_threads'
import type { Begun } from '#server/task-thread.ts'
import { estimateStrength } from '../../password-strength.ts'

export interface EstimateTask {
  password: string
  /** Words that an attacker would try first. */
  about: string[]
}

export interface EstimateReply {
  kind: 'done'
  /** 0 to 4. */
  score: number
}

parentPort?.on('message', ({ password, about }: EstimateTask) => {
  parentPort?.postMessage({ kind: 'begun' } satisfies Begun)
  const score = estimateStrength(password, about)
  parentPort?.postMessage({ kind: 'done', score } satisfies EstimateReply)
})
