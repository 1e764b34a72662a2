import { afterEach, expect, test, vi } from 'vitest'
import type { HealthTools } from '#server/health/checks.ts'
import { createXenditDouble } from '#tests/support/xendit-double/server.ts'
import { gatewayChecks } from '../../payments/gateway-health.ts'
import { CircuitOpen, xenditApi } from './api.ts'

const circuit = gatewayChecks.find(({ name }) => name === 'payment_circuit')!

afterEach(() => {
  vi.restoreAllMocks()
})

test('calls to a gateway that hangs time out, and after five of them it is skipped', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(20))
  const double = await createXenditDouble({ secretKey: 'xnd_development_key', callbackToken: 'a-token-of-20-letters' })
  const letGo = double.hang()
  try {
    const config = { secretKey: 'xnd_development_key', callbackToken: '', baseUrl: new URL(double.url) }
    const call = xenditApi(config)
    const told = () => circuit.read({ config: { payment: { xendit: config } } } as HealthTools)
    expect(await told()).toBe(0)
    for (let n = 0; n < 5; n += 1) await expect(call.find('/sessions/ps-1')).rejects.toThrow(/timeout/)
    for (let n = 0; n < 20; n += 1) await expect(call.find('/sessions/ps-1')).rejects.toBeInstanceOf(CircuitOpen)
    expect(await told()).toBe(1)
    expect(double.calls.length).toBeLessThanOrEqual(5)
    expect(limits.mock.calls.every(([milliseconds]) => milliseconds <= 10_000)).toBe(true)
  } finally {
    letGo()
    await double.close()
  }
})
