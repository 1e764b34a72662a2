import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { onlineAtom } from './connection.ts'
import { loadPageTexts } from './i18n.ts'
import { retryUntilLoaded } from './load-code.ts'
import { store } from './session.ts'

const loadTimeoutMs = 6000

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never

export type LazyComponent<Props> = ((props: Props) => ReactNode) & { load: () => Promise<unknown> }

/** Loads once, and again after a failure. A preloaded component shows no fallback. */
function loadOnce<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Props = PropsOf<Module[Name]> & object
  let loading: Promise<{ default: ComponentType<Props> }> | undefined
  return () => {
    loading ??= load().then(
      (module) => ({ default: module[name] as ComponentType<Props> }),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
}

/** For use inside the caller's `Suspense`. A failed load is retried once there is a connection. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyComponent<PropsOf<Module[Name]> & object> {
  const once = loadOnce(load, name)
  return Object.assign(
    lazy(() => retryUntilLoaded(once)),
    { load: once },
  )
}

/**
 * `place` is its placeholder; without one it is a screen, whose error boundary offers another load.
 */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  fallback?: ReactNode,
) {
  if (fallback === undefined) {
    const once = loadOnce(load, name)
    const screen = async () => {
      const until = Date.now() + loadTimeoutMs
      try {
        return await retryUntilLoaded(once, undefined, () => Date.now() < until && store.get(onlineAtom))
      } catch (error) {
        throw Object.assign(error as Error, { again: once })
      }
    }
    return Object.assign(lazy(screen), { load: once })
  }
  const Late = lazyPart(load, name)
  const withFallback = (props: PropsOf<Module[Name]> & object) =>
    createElement(Suspense, { fallback: fallback }, createElement(Late as ComponentType<typeof props>, props))
  return Object.assign(withFallback, { load: Late.load })
}

export const lazyWithTexts = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  fallback?: ReactNode,
  loadTexts: () => Promise<unknown> = loadPageTexts,
) =>
  lazyComponent(
    async () => {
      const [module] = await Promise.all([load(), loadTexts()])
      return module
    },
    name,
    fallback,
  )
