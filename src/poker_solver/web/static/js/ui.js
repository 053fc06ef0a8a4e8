// The component library, named once: every module takes it from here.
export {
  html, render, useState, useEffect, useLayoutEffect, useMemo, useRef, useCallback, useContext, createContext,
} from "/static/vendor/preact-htm.js";
