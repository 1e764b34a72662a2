import { type } from 'arktype'
import type { InputSpecs, ToolContract, ToolFacts } from './tool.ts'

const maxProblems = 10

/** A parameter's path and a message key; what was sent is not repeated. */
function asProblem({ path, code }: { path: readonly PropertyKey[]; code: string }): [string, string] {
  const name = path.map(String).join('.').slice(0, 100) || 'params'
  return [name, code === 'required' ? 'form.required' : 'form.invalid']
}

/** Joins a tool's facts with the schema of its parameters. The schema must accept `{}` and yield the facts' defaults for it. */
export function defineTool<Params, const Inputs extends InputSpecs, Id extends string>(
  facts: ToolFacts<Params, Inputs, Id>,
  schema: () => type.Any,
): ToolContract<Params, Inputs, Id> {
  const paramsSchema = schema()
  return {
    ...facts,
    paramsSchema,
    parseParams(value) {
      const params = paramsSchema(value)
      if (params instanceof type.errors) {
        return {
          ok: false,
          problems: Object.fromEntries(params.slice(0, maxProblems).map(asProblem)),
        }
      }
      return { ok: true, params: params as Params }
    },
  }
}
