import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CustomEditStatus } from './rules.ts'

export const customEditLabels: Record<CustomEditStatus, MessageDescriptor> = {
  new: msg`Menunggu desainer`,
  in_progress: msg`Sedang dikerjakan`,
  done: msg`Selesai`,
  declined: msg`Tidak bisa dikerjakan`,
}

export const customEditTones = { new: 'plain', in_progress: 'warn', done: 'good', declined: 'bad' } as const
