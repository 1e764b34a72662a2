const passes = new WeakMap<Element, () => void>()

/**
 * For a control that may disappear while focused: moves the focus to `next`, else to the page's
 * heading.
 */
export const restoreFocusTo =
  (next: (parent: Element | null) => HTMLElement | null | undefined = () => null) =>
  (control: HTMLElement | null) => {
    if (!control) return
    const parent = control.parentElement
    passes.set(control, () => {
      if (control.isConnected) return
      for (const follower of [next(parent), document.querySelector<HTMLElement>('main h1')]) {
        if (!follower || document.activeElement !== document.body) continue
        if (follower.tabIndex < 0) follower.tabIndex = -1
        follower.focus({ preventScroll: true })
      }
    })
    return () => {
      // The control stays in the page until its replacement is rendered.
      if (document.activeElement === control) queueMicrotask(() => handOverFocus(control))
    }
  }

export function handOverFocus(from: Element | null): void {
  if (from) passes.get(from)?.()
}

export const firstControl = (parent: Element | null) =>
  parent?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
