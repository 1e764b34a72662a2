import type { TaskName } from '#engine/task-work.ts'
import type { TaskRequest } from './provider.ts'

/** Tasks whose result lies pixel on pixel over the picture that they are given. */
const aligned: readonly TaskName[] = [
  'subjectMatte',
  'selectObject',
  'inpaint',
  'upscale',
  'addDetail',
  'restoreFaces',
  'colorize',
  'depth',
]

/** Pixels of the picture that a task asks for; undefined where it may be of any size. */
export function resultSize({ task, files, data }: Pick<TaskRequest, 'task' | 'files' | 'data'>) {
  if (task === 'background') return { width: Number(data.width), height: Number(data.height) }
  const picture = files.find(({ label }) => label === 'picture')
  if (!picture || !aligned.includes(task)) return undefined
  const factor = task === 'upscale' || task === 'addDetail' ? Number(data.factor) : 1
  return { width: picture.width * factor, height: picture.height * factor }
}
