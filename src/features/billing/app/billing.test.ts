import { expect, test } from 'vitest'
import { packageWorth } from './billing.tsx'

test('a package is worth whole pictures, and each costs what it costs to the nearest 50 rupiah and the nearest cent', () => {
  const each = (idr: number, cents: number) => ({ idr, cents })
  expect(packageWorth({ credits: 499, ...each(165_000, 1000) }, 5)).toEqual({ pictures: 99, each: each(1650, 10) })
  expect(packageWorth({ credits: 1499, ...each(412_500, 2500) }, 5)).toEqual({ pictures: 299, each: each(1400, 8) })
  expect(packageWorth({ credits: 3, ...each(1000, 6) }, 5)).toEqual({ pictures: 1, each: each(1000, 6) })
})
