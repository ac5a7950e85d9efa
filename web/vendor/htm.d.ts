declare const htm: {
  bind<T>(
    h: (type: any, props: any, ...children: any[]) => T,
  ): (strings: TemplateStringsArray, ...values: any[]) => T;
};
export default htm;
