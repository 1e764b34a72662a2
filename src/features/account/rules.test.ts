import { expect, test } from 'vitest'
import { normalizeName } from './rules.ts'

test.each([
  ['  Siti   Aminah ', 'Siti Aminah'],
  ['Budi\r\nBcc: x@y.id', 'Budi Bcc: x@y.id'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['\u2068Wulan\u2069', 'Wulan'],
  ['Ayu\ud800', 'Ayu'],
  ['Andre\u0301', 'André'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['<b>Sari</b>', '<b>Sari</b>'],
  ['', ''],
  [' \u200b\t\u200d', ''],
])('%j is kept as %j', (given, kept) => {
  expect(normalizeName(given)).toBe(kept)
})
