import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'

export const backgroundWords: Record<PassportPreset['background'], MessageDescriptor> = {
  red: msg`Merah`,
  blue: msg`Biru`,
  white: msg`Putih`,
  orange: msg`Oranye`,
  'birth-year': msg`Tahun lahir`,
}
