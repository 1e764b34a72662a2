import { expect, test } from 'vitest'
import { includedPpn, ppnPercent, toNpwp } from './rules.ts'

test('PPN and the price without it add up to the total, in whole rupiah', () => {
  expect(includedPpn(111_000, ppnPercent)).toBe(11_000)
  expect(includedPpn(165_000, ppnPercent)).toBe(16_351)
  for (const total of [0, 1, 4, 5, 999, 164_123, 2_147_483_647]) {
    const ppn = includedPpn(total, ppnPercent)
    expect(Number.isInteger(ppn)).toBe(true)
    expect(Math.abs(ppn - ((total - ppn) * ppnPercent) / 100)).toBeLessThan(1)
  }
  expect(includedPpn(165_000, null)).toBe(0)
})

test('tax numbers of 15 and 16 digits are read in common notations', () => {
  expect(toNpwp('01.234.567.8-901.000')).toBe('0012345678901000')
  expect(toNpwp('3201 2345 6789 0001')).toBe('3201234567890001')
  for (const wrong of ['', '1234', '0000000000000000', '01.234.567.8-901.00x', '12345678901234567'])
    expect(toNpwp(wrong)).toBeNull()
})
