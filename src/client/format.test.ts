import { i18n } from '@lingui/core'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatDate,
  formatDay,
  formatDollars,
  formatNumber,
  formatRupiah,
  formatSize,
  parseNumber,
} from './format.ts'

const plain = (text: string) => text.replace(/\s/g, ' ')

test.each(['id', 'en'])('numbers and prices are as Intl writes them in %s', (locale) => {
  i18n.loadAndActivate({ locale, messages: {} })
  const tag = locale === 'en' ? 'en-GB' : 'id-ID'
  const number = new Intl.NumberFormat(tag)
  const rupiah = new Intl.NumberFormat('id-ID', { style: 'currency', currency: 'IDR', maximumFractionDigits: 0 })
  const dollars = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
  for (const value of [0, 7, -7, 999, -999, 1000, 12.5, 165_000, -1_234_567, 9_007_199_254_740_991]) {
    expect(formatNumber(value)).toBe(number.format(value))
    expect(formatRupiah(value)).toBe(rupiah.format(value))
  }
  for (const value of [0, 0.5, 9.99, 10, 12.3, 1999.05, 10_000, -9.5, -1234])
    expect(formatDollars(value)).toBe(dollars.format(value))
})

describe('in Indonesian', () => {
  beforeEach(() => i18n.loadAndActivate({ locale: 'id', messages: {} }))
  test('numbers, money, dates and sizes read as Indonesians write them', () => {
    expect(formatNumber(1499)).toBe('1.499')
    expect(formatSize({ width: 1024, height: 768 })).toBe('1.024\u00a0×\u00a0768')
    expect(plain(formatRupiah(165_000))).toBe('Rp 165.000')
    expect(formatDollars(10)).toBe('$10')
    expect(formatDollars(9.5)).toBe('$9,50')
    expect(formatDollars(10_000)).toBe('$10.000')
    expect(formatDate('2026-11-21T05:00:00Z')).toBe('21 November 2026')
    expect(plain(formatBytes(2_400_000))).toBe('2,4 MB')
  })
  test('days have relative names such as today and yesterday', () => {
    const now = new Date(2026, 10, 21, 0, 30).getTime()
    expect(formatDay(new Date(2026, 10, 21, 0, 10), now)).toBe('hari ini')
    expect(formatDay(new Date(2026, 10, 20, 23, 50), now)).toBe('kemarin')
    expect(formatDay(new Date(2026, 10, 19, 12), now)).toBe('Kamis, 19 November')
    expect(formatDay(new Date(2025, 11, 31, 12), now)).toBe('Rabu, 31 Desember 2025')
  })
  test('ages are rounded to the nearest whole unit', () => {
    const now = Date.parse('2026-11-21T05:00:00Z')
    expect(formatAge(now - 20_000, now)).toBe('baru saja')
    expect(formatAge(now + 20_000, now)).toBe('sekarang')
    expect(formatAge(now - 5 * 60_000, now)).toBe('5 menit yang lalu')
    expect(formatAge(now + 4.99 * 86_400_000, now)).toBe('dalam 5 hari')
  })
})

test('in English numbers follow English, while rupiah stay as Indonesians write them', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  expect(formatNumber(1499)).toBe('1,499')
  expect(plain(formatRupiah(165_000))).toBe('Rp 165.000')
})

test.each([
  ['1,5', 1.5],
  ['1.5', 1.5],
  [' 40 ', 40],
  ['-3', -3],
  ['0.125', 0.125],
  ['48.500', 48_500],
  ['48,500', 48_500],
  ['1.250.000', 1_250_000],
  ['1.250.000,50', 1_250_000.5],
  ['1,250,000.5', 1_250_000.5],
  ['', null],
  ['1.25.000', '1.25.000'],
  ['12 rupiah', '12 rupiah'],
])('%s is read as %s', (typed, value) => {
  expect(parseNumber(typed)).toBe(value)
})
