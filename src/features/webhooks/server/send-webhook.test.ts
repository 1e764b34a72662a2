import { expect, test } from 'vitest'
import { newWebhookSecret, webhookHeaders } from './send-webhook.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const at = new Date(1614265330 * 1000 + 999)
const payload = '{"test": 2432232314}'

test('signs the example of the Standard Webhooks libraries', () => {
  expect(webhookHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', payload, [secret], at)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('signs with each secret, and makes secrets of 32 bytes', () => {
  const other = newWebhookSecret()
  expect(other).toMatch(/^whsec_[\w+/]{43}=$/)
  const [first, second, ...more] = webhookHeaders('a', payload, [secret, other], at)['webhook-signature'].split(' ')
  expect(more).toEqual([])
  expect([first]).toEqual([webhookHeaders('a', payload, [secret], at)['webhook-signature']])
  expect([second]).toEqual([webhookHeaders('a', payload, [other], at)['webhook-signature']])
})
