import { expect, test } from 'vitest'
import { parseWhatsapp } from './whatsapp.ts'

test.each([
  ['0812-3456-7890', '+6281234567890'],
  ['62 812 3456 7890', '+6281234567890'],
  ['+62 812 3456 7890', '+6281234567890'],
  ['08123456789012', '+628123456789012'],
])('%s is stored as %s', (written, stored) => {
  expect(parseWhatsapp(written)).toBe(stored)
})

test.each(['', '12345', '0215551234', '+1 415 555 2671', '08123', 'halo', '+62812345678901234567'])(
  '%j is no number for messages in Indonesia',
  (written) => {
    expect(parseWhatsapp(written)).toBeUndefined()
  },
)
