import { createFairQueue } from '#server/fair-queue.ts'
import { AppError } from '#server/http/app-error.ts'
import { createTaskThread } from '#server/task-thread.ts'
import type { InspectedFile, InspectionTask, ThreadReply } from './task.ts'

/**
 * Looks into uploaded files in a thread of its own, one after the other, so that the web server
 * never waits for a file's content. Owners take turns: the many files of one delay the file of
 * another by one.
 */
export interface Inspector {
  /** Rejects with the AppError to return. */
  inspect(task: InspectionTask, owner: string): Promise<InspectedFile>
}

export function createInspector(): Inspector {
  const queue = createFairQueue({ atOnce: 1 })
  const thread = createTaskThread<InspectionTask, ThreadReply>({
    entry: new URL('./thread.ts', import.meta.url),
    heapLimit: 128,
    timeLimit: 10_000,
    // A file that takes longer is there to keep the thread busy.
    tooLong: () => new AppError('upload.unreadable'),
  })
  return {
    async inspect(task, owner) {
      const reply = await queue.run(owner, () => thread.run(task))
      if (reply.kind === 'done') return reply.result
      const code = reply.kind === 'refused' ? reply.code : 'server.error'
      throw new AppError(code, { cause: new Error(reply.reason) })
    },
  }
}
