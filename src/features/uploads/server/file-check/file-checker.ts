import { createFairQueue } from '#server/fair-queue.ts'
import { appError } from '#server/http/app-error.ts'
import { createTaskThread } from '#server/task-thread.ts'
import type { CheckedFile, FileCheckTask, ThreadReply } from './task.ts'

/**
 * Checks files in a separate thread, so that their content never blocks the web server. Owners take
 * turns: many files of one owner delay another owner's file by one.
 */
export interface FileChecker {
  /** Rejects with the AppError for the response. */
  check(task: FileCheckTask, owner: string): Promise<CheckedFile>
}

export function createFileChecker(): FileChecker {
  const queue = createFairQueue({ concurrency: 1 })
  const thread = createTaskThread<FileCheckTask, ThreadReply>({
    entry: new URL('./thread.ts', import.meta.url),
    heapLimit: 128,
    timeLimit: 10_000,
    // A file that takes longer is meant to keep the thread busy.
    tooLong: () => appError('upload.unreadable'),
  })
  return {
    async check(task, owner) {
      const reply = await queue.run(owner, () => thread.run(task))
      if (reply.kind === 'done') return reply.result
      const code = reply.kind === 'refused' ? reply.code : 'server.error'
      throw appError(code, { cause: new Error(reply.reason) })
    },
  }
}
