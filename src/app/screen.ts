import { type ComponentType, lazy } from 'react'

/**
 * A screen, loaded when it is first asked for, and again when that failed. React finds what was
 * asked for early at once, and shows no spinner in between.
 */
export function screen<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined
  const once = () => {
    loading ??= load().then(
      (component) => ({ default: component }),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return Object.assign(lazy(once), { load: once })
}
