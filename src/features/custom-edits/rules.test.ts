import { expect, test } from 'vitest'
import { parseWhatsapp } from './rules.ts'

test.each([
  ['0812-3456-7890', '+6281234567890'],
  ['62 812 3456 7890', '+6281234567890'],
  ['+62 812 3456 7890', '+6281234567890'],
  ['08123456789012', '+628123456789012'],
  ['8123456789', '+628123456789'],
  ['+62 (0) 812 3456 7890', '+6281234567890'],
  ['０８１２‑3456–7890', '+6281234567890'],
  ['WA: 0812/3456.7890 (Budi)', '+6281234567890'],
])('%s is stored as %s', (written, stored) => {
  expect(parseWhatsapp(written)).toBe(stored)
})

test.each([
  '',
  '12345',
  '0215551234',
  '+1 415 555 2671',
  '08123',
  'halo',
  '+62812345678901234567',
  '0812 3456 7890 atau 0813 4567 8901',
])('%j is not a WhatsApp number in Indonesia', (written) => {
  expect(parseWhatsapp(written)).toBeUndefined()
})
