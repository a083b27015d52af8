// The words for which Windows logs a script block as suspicious (event 4104, a warning) without any policy.

/** https://github.com/PowerShell/PowerShell/blob/master/src/System.Management.Automation/engine/runtime/CompiledScriptBlock.cs */
export const suspiciousWords = (
  'Add-Type DllImport ' +
  'DefineDynamicAssembly DefineDynamicModule DefineType DefineConstructor CreateType DefineLiteral DefineEnum ' +
  'DefineField ILGenerator Emit UnverifiableCodeAttribute DefinePInvokeMethod GetTypes GetAssemblies Methods Properties ' +
  'GetConstructor GetConstructors GetDefaultMembers GetEvent GetEvents GetField GetFields GetInterface ' +
  'GetInterfaceMap GetInterfaces GetMember GetMembers GetMethod GetMethods GetNestedType GetNestedTypes ' +
  'GetProperties GetProperty InvokeMember MakeArrayType MakeByRefType MakeGenericType MakePointerType ' +
  'DeclaringMethod DeclaringType ReflectedType TypeHandle TypeInitializer UnderlyingSystemType ' +
  'InteropServices Marshal AllocHGlobal PtrToStructure StructureToPtr FreeHGlobal IntPtr ' +
  'MemoryStream DeflateStream FromBase64String EncodedCommand Bypass ToBase64String ExpandString GetPowerShell ' +
  'OpenProcess VirtualAlloc VirtualFree WriteProcessMemory CreateUserThread CloseHandle ' +
  'GetDelegateForFunctionPointer kernel32 CreateThread memcpy LoadLibrary GetModuleHandle GetProcAddress ' +
  'VirtualProtect FreeLibrary ReadProcessMemory CreateRemoteThread AdjustTokenPrivileges WriteByte WriteInt32 ' +
  'OpenThreadToken PtrToString ZeroFreeGlobalAllocUnicode OpenProcessToken GetTokenInformation SetThreadToken ' +
  'ImpersonateLoggedOnUser RevertToSelf GetLogonSessionData CreateProcessWithToken DuplicateTokenEx ' +
  'OpenWindowStation OpenDesktop MiniDumpWriteDump AddSecurityPackage EnumerateSecurityPackages GetProcessHandle ' +
  'DangerousGetHandle CryptoServiceProvider Cryptography RijndaelManaged SHA1Managed CryptoStream CreateEncryptor ' +
  'CreateDecryptor TransformFinalBlock DeviceIoControl SetInformationProcess PasswordDeriveBytes ' +
  'GetAsyncKeyState GetKeyboardState GetForegroundWindow BindingFlags NonPublic ScriptBlockLogging ' +
  'LogPipelineExecutionDetails ProtectedEventLogging'
).split(' ')
