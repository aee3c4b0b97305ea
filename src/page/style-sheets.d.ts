// An import of a style sheet is for the bundler (build.mjs), and has no value.
declare module '*.css';
