import { type } from 'arktype'
import type { ToolContract, ToolFacts } from './tool.ts'

/** Joins a tool's facts with the schema of its parameters. The schema must accept `{}` and yield the facts' defaults for it. */
export function defineTool<Params, Id extends string>(
  facts: ToolFacts<Params, Id>,
  schema: () => type.Any,
): ToolContract<Params, Id> {
  const paramsSchema = schema()
  return {
    ...facts,
    paramsSchema,
    parseParams(value) {
      const params = paramsSchema(value)
      if (params instanceof type.errors) {
        return {
          ok: false,
          problems: Object.fromEntries(params.map((problem) => [problem.path.join('.') || 'params', problem.message])),
        }
      }
      return { ok: true, params: params as Params }
    },
  }
}
