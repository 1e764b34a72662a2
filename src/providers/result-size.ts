import type { TaskName } from '#engine/task-types.ts'
import type { TaskRequest } from './provider.ts'

/** Tasks whose result aligns with the pixels of its input. */
const alignedTasks: readonly TaskName[] = [
  'subjectMatte',
  'selectObject',
  'inpaint',
  'upscale',
  'addDetail',
  'restoreFaces',
  'colorize',
  'depth',
]

/** Undefined for any size. */
export function resultSize({ task, files, data }: Pick<TaskRequest, 'task' | 'files' | 'data'>) {
  if (task === 'background') return { width: Number(data.width), height: Number(data.height) }
  const picture = files.find(({ label }) => label === 'picture')
  if (!picture || !alignedTasks.includes(task)) return undefined
  const factor = task === 'upscale' || task === 'addDetail' ? Number(data.factor) : 1
  return { width: picture.width * factor, height: picture.height * factor }
}
