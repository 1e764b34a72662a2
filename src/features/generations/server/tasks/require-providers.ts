import { EngineError } from '#engine/error.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { ProviderJob } from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'
import { usableProviders } from './usable-providers.ts'

/**
 * Throws before the charge if a needed provider is missing, rests after failures, or is external
 * without the user's consent.
 */
export async function requireProviders(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
  userId: string,
  tool: AnyTool,
  params: Record<string, unknown>,
): Promise<void> {
  const problem = await providerProblem(deps, userId, tool, params)
  if (!problem) return
  const { path, code } = tool.withoutProvider ?? {}
  if (problem === 'unavailable' && path && code) throw appError(code, { details: { [path]: code } })
  throw appError(problem === 'unavailable' ? 'tool.option_unavailable' : 'consent.remote_required')
}

/** The first reason why a needed task cannot be done. */
export async function providerProblem(
  deps: Pick<Deps, 'db' | 'clock' | 'providers'>,
  userId: string,
  tool: AnyTool,
  params: Record<string, unknown>,
): Promise<'unavailable' | 'no_consent' | undefined> {
  const needed = tool.needs?.(params) ?? []
  if (needed.length === 0) return undefined
  const candidates = await providersFor(deps, tool)
  const usable = await usableProviders(deps, userId, candidates)
  for (const [name, task] of Object.entries(tool.tasks)) {
    if (!needed.includes(task)) continue
    const able = candidates.get(name) ?? []
    if (usable.get(name)?.length) continue
    const agreed = await usableProviders(deps, undefined, new Map([[name, able]]))
    return agreed.get(name)?.length ? 'no_consent' : 'unavailable'
  }
  return undefined
}

/** Throws when a task that only providers can do has failed at all of them. */
export function requireNeededTasks(
  tool: AnyTool,
  params: Record<string, unknown>,
  jobs: readonly Pick<ProviderJob, 'taskKey' | 'state' | 'sent'>[],
): void {
  const needed = tool.needs?.(params) ?? []
  for (const [name, task] of Object.entries(tool.tasks)) {
    if (!needed.includes(task)) continue
    const asked = jobs.filter(({ taskKey, sent }) => taskKey.split('/')[0] === name && sent > 0)
    if (asked.length > 0 && !asked.some(({ state }) => state === 'done'))
      throw new EngineError('engine.provider_failed')
  }
}
