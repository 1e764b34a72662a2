import { expect, it } from 'vitest'
import { type } from '#shared/schema.ts'
import { registerRoutes, reply, route } from './route.ts'

const output = { 201: ['Made', type({ id: 'string' })], 200: ['Known', type({ id: 'string' })] } as const

const routes = [
  route('first', 'GET /first', 'visitor', {
    summary: 'x',
    output: { 201: output[201] },
    handler: () => ({ id: 'a' }),
  }),
  route('chosen', 'GET /chosen', 'visitor', { summary: 'x', output, handler: () => reply(201, { id: 'b' }) }),
  route('nothing', 'GET /nothing', 'visitor', { summary: 'x', output: { 204: 'Done' }, handler: async () => {} }),
  // @ts-expect-error the id is a string
  route('wrong', 'GET /wrong', 'visitor', { summary: 'x', output, handler: () => ({ id: 1 }) }),
  // @ts-expect-error 202 is not documented
  route('undocumented', 'GET /other', 'visitor', { summary: 'x', output, handler: () => reply(202, { id: 'c' }) }),
  // @ts-expect-error JSON of any shape
  route('untyped', 'GET /untyped', 'visitor', { summary: 'x', output, handler: (c) => c.json({ id: 1 }) }),
]

it('sends data with the status that the output documents', async () => {
  const app = registerRoutes({} as never, { test: routes })
  const read = async (path: string) => {
    const response = await app.request(`/api${path}`)
    return [response.status, await response.text()]
  }
  expect(await read('/first')).toEqual([201, '{"id":"a"}'])
  expect(await read('/chosen')).toEqual([201, '{"id":"b"}'])
  expect(await read('/nothing')).toEqual([204, ''])
})
