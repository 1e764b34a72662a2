import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { onlineAtom } from './connection.ts'
import { loadPageTexts } from './i18n.ts'
import { patiently } from './patiently.ts'
import { store } from './session.ts'

/** Milliseconds for which a screen that was lost on the way is asked for before that is told. */
const screenPatience = 6000

type PropsOf<Component> = Component extends ComponentType<infer Props> ? Props : never

/** A component that comes when it is shown, or earlier by `load`. */
export type LateComponent<Props> = ((props: Props) => ReactNode) & { load: () => Promise<unknown> }

/**
 * Loads the component of this name in a module once, and again when that failed. React finds what
 * was asked for early at once, and shows nothing in between.
 */
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

/**
 * A part of a screen, in the `Suspense` of whatever shows it. What cannot be loaded keeps nobody
 * from the rest, and comes once there is a connection.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LateComponent<PropsOf<Module[Name]> & object> {
  const once = loadOnce(load, name)
  return Object.assign(
    lazy(() => patiently(once)),
    { load: once },
  )
}

/**
 * The component of this name in a module. Until it is there `place` stands for it; one without a
 * place is a screen, whose surroundings say that it comes or cannot be loaded, and find with the
 * error how to ask for it again.
 */
export function lazyComponent<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  place?: ReactNode,
) {
  if (place === undefined) {
    const once = loadOnce(load, name)
    const screen = async () => {
      const until = Date.now() + screenPatience
      try {
        return await patiently(once, undefined, () => Date.now() < until && store.get(onlineAtom))
      } catch (error) {
        throw Object.assign(error as Error, { again: once })
      }
    }
    return Object.assign(lazy(screen), { load: once })
  }
  const Late = lazyPart(load, name)
  const inPlace = (props: PropsOf<Module[Name]> & object) =>
    createElement(Suspense, { fallback: place }, createElement(Late as ComponentType<typeof props>, props))
  return Object.assign(inPlace, { load: Late.load })
}

export const lazyWithTexts = <Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  place?: ReactNode,
) =>
  lazyComponent(
    async () => {
      const [module] = await Promise.all([load(), loadPageTexts()])
      return module
    },
    name,
    place,
  )
