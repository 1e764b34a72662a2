import { type Generation, generations } from '#features/generations/server/generations.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'

/** Starts the generation that `item`, a body of POST /generations, describes. */
export async function startItem(
  deps: Deps,
  { user, apiKey }: Pick<UserEnv['Variables'], 'user' | 'apiKey'>,
  { key, item }: { key: string; item: object },
): Promise<Generation> {
  const userId = user.id
  const headers = { 'content-type': 'application/json' }
  const body = new Request('http://item', { method: 'POST', headers, body: JSON.stringify(item) })
  return await generations.withRequest(deps, body, { userId, apiKey, key }, async (request) => {
    const { generation } = await generations.create(deps, { userId, key, request, apiKey })
    return generation
  })
}
