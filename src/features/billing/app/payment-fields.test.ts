import { expect, test } from 'vitest'
import { type MethodId, methodIds, paymentMethods } from '../payment-methods.ts'
import type { PaymentMethodView } from '../schemas.ts'
import { likelyMethods } from './payment-fields.tsx'

const offered = (ids: readonly MethodId[]): PaymentMethodView[] =>
  ids.map((id) => ({ ...paymentMethods[id], image: `/methods/${id}.svg`, driver: 'simulator' }))
const ids = (methods: readonly PaymentMethodView[]) => methods.map(({ id }) => id)

test('four usual methods come first, and every other one is among the rest', () => {
  const { likely, others } = likelyMethods(offered(methodIds), null)
  expect(ids(likely)).toEqual(['qris', 'gopay', 'dana', 'bca'])
  expect(ids(others)).toEqual(['cimb_niaga', 'bri', 'bni', 'bsi', 'mandiri', 'ovo', 'shopeepay', 'linkaja'])
})

test('the method of the last payment is first', () => {
  expect(ids(likelyMethods(offered(methodIds), 'mandiri').likely)).toEqual(['mandiri', 'qris', 'gopay', 'dana'])
  expect(ids(likelyMethods(offered(methodIds), 'dana').likely)).toEqual(['dana', 'qris', 'gopay', 'bca'])
})

test('a short list of methods is shown in full', () => {
  const { likely, others } = likelyMethods(offered(['bri', 'bsi']), 'gopay')
  expect(ids(likely)).toEqual(['bri', 'bsi'])
  expect(others).toEqual([])
})
