// Types of what we use of Preact and htm, for the type checker alone.
export function html(strings: TemplateStringsArray, ...values: unknown[]): any;
export function render(tree: any, root: Element): void;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];
export function useEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, on: readonly unknown[]): T;
export function useRef<T>(first: T): { current: T };
export function useCallback<T extends (...given: any[]) => unknown>(run: T, on: readonly unknown[]): T;
export function useContext<T>(context: { value?: T }): T;
export function createContext<T>(first: T): any;
